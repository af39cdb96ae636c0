// How charts look: fonts, axes, legends and zoom sliders in the colours of a theme.

/** ECharts draws texts itself and has to be told the font of the page. */
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

/** An ECharts theme of colours (see colours.js). */
export function chartTheme(colours) {
  const text = { color: colours.text, fontFamily: FONT, fontSize: 12 };
  const axis = {
    axisLine: { show: true, lineStyle: { color: colours.axis } },
    axisTick: { lineStyle: { color: colours.axis } },
    axisLabel: { color: colours.text, fontSize: 12 },
    nameTextStyle: { color: colours.muted },
    splitLine: { lineStyle: { color: [colours.line] } },
    splitArea: { show: false },
  };
  return {
    color: colours.series,
    backgroundColor: "transparent",
    textStyle: text,
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: axis,
    logAxis: { ...axis, minorSplitLine: { show: false } },
    timeAxis: axis,
    legend: { textStyle: text, inactiveColor: colours.muted, itemGap: 16, itemWidth: 18 },
    dataZoom: {
      backgroundColor: "transparent",
      borderColor: colours.line,
      fillerColor: colours.name === "dark" ? "rgba(255,255,255,0.12)" : "rgba(0,0,0,0.08)",
      handleStyle: { color: colours.background, borderColor: colours.axis },
      moveHandleStyle: { color: colours.axis },
      textStyle: { color: colours.muted },
    },
    bar: { itemStyle: { borderWidth: 0 } },
    line: { symbol: "circle", symbolSize: 5, smooth: false },
    scatter: { symbolSize: 7 },
  };
}
