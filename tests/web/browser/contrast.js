// Texts whose contrast with what is behind them is below WCAG's AA: [ratio, text, color, ground].
() => {
  const parts = (color) => {
    const found = color.match(/[\d.]+/g).map(Number);
    const share = color.startsWith("color(") ? 255 : 1;
    return [found[0] * share, found[1] * share, found[2] * share, found[3] ?? 1];
  };
  const over = (top, below) => below.map((each, i) => (i < 3 ? top[i] * top[3] + each * (1 - top[3]) : 1));
  const light = ([r, g, b]) => {
    const linear = [r, g, b].map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const ground = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = parts(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(element.parentElement));
  };
  const painted = (text) => {
    // in a picture: whatever was drawn before it under its middle
    const own = text.getBoundingClientRect();
    const [x, y] = [own.x + own.width / 2, own.y + own.height / 2];
    let behind = ground(text.closest("svg"));
    for (const shape of text.closest("svg").querySelectorAll("rect, path")) {
      const [box, style] = [shape.getBoundingClientRect(), getComputedStyle(shape)];
      const isUnder = box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
      const isBefore = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (!isUnder || !isBefore || style.fill === "none") continue;
      const fill = parts(style.fill);
      fill[3] *= style.fillOpacity * style.opacity;
      behind = over(fill, behind);
    }
    return behind;
  };
  const found = [];
  const look = (element, text) => {
    const style = getComputedStyle(element);
    if (!text.trim() || !element.checkVisibility({ visibilityProperty: true })) return;
    if (element.closest(".unseen, .skip")) return;
    const drawn = element instanceof SVGElement;
    const behind = drawn ? painted(element) : ground(element);
    const color = over(parts(drawn ? style.fill : style.color), behind);
    const [high, low] = [light(color), light(behind)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) found.push([ratio.toFixed(2), text.trim().slice(0, 40), color.map(Math.round).join(), behind.map(Math.round).join()]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) look(walker.currentNode.parentElement, walker.currentNode.data);
  for (const field of document.querySelectorAll("input:not([type=hidden]), textarea, select")) look(field, field.value || "empty");
  return found;
};
