// A page names no host: nothing in it could be fetched, now or by a careless change.
import { readFileSync } from 'node:fs';
import { unpacked } from '../content.mjs';
import { expectNone } from '../expect_none.mjs';

export const question = 'a page names no host but in licences and names of XML';

/** Names of XML's namespaces, which nobody fetches. */
const NAMESPACES = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink', 'http://www.w3.org/2000/xmlns/', 'http://www.w3.org/XML/1998/namespace'];

export default async function ({ pages }) {
  const wrong = [];
  for (const { name, file } of pages) {
    const html = readFileSync(file, 'utf8').replace(/<script type="text\/plain" id="licences">[^]*?<\/script>/, '');
    for (const [address] of `${html}\n${unpacked(file, 'script')}`.matchAll(/(?:https?:)?\/\/[\w-]+(?:\.[\w-]+)+[\w/.#-]*/g)) {
      const isNamespace = NAMESPACES.some((known) => address === known);
      // Names from traces and comments are texts; what has a scheme could be fetched.
      if (address.startsWith('http') && !isNamespace) wrong.push(`${name}: ${address}`);
    }
    for (const [attribute] of html.matchAll(/<(?:link|img|iframe|object|embed|base|audio|video|source)\b[^>]*>/g)) {
      wrong.push(`${name}: ${attribute.slice(0, 100)}`);
    }
  }
  expectNone(wrong);
}
