"""A page as a file: its policy, style, banner and script."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from .names import shown
from .script import SCRIPT
from .style import STYLE


def document(title: str, headline: str, body: str) -> str:
    """A page, of a body that is markup already.

    Its policy lets through its own script and style, known by their hashes, and nothing else, so
    that no name can become a script, a style or a request.
    """
    policy = (
        f"default-src 'none'; script-src {_source(SCRIPT)}; style-src {_source(STYLE)}; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    # A number stays with its sign.
    said = shown(headline).replace(" %", "&nbsp;%")
    said = f'<p class="headline">{said}</p>' if headline else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{shown(title)} · onnxray</title><style>{STYLE}</style></head>\n"
        f'<body><header class="banner"><h1>{shown(title)}</h1>'
        '<button type="button" class="quiet" data-action="theme" hidden>Theme</button>'
        f"{said}</header>\n<main>{body}</main>\n<script>{SCRIPT}</script></body></html>\n"
    )


def _source(text: str) -> str:
    """The text with this hash, as a policy names it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
