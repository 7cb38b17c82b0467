// Pictures that answer: each is drawn again from its specification, and tells what is under the
// pointer. What the server drew stays where there is no script, and where this fails.
"use strict";

(() => {
  const WIDE = 14; // pixels around a line in which a pointer counts as on it
  const AWAY = 14; // pixels between the pointer and what it is told

  const nothing = () => Promise.reject(new Error("a picture asks for nothing"));
  const loader = { load: nothing, sanitize: nothing, http: nothing, file: nothing };

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);

  function tell(handler, event, item, value) {
    tip.hidden = value === null || value === undefined || value === "";
    if (tip.hidden) return;
    const list = document.createElement("dl");
    for (const [name, shown] of Object.entries(value)) {
      const [term, description] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      description.textContent = shown;
      list.append(term, description);
    }
    tip.replaceChildren(list);
    const { width, height } = tip.getBoundingClientRect();
    const isRight = event.clientX + AWAY + width > innerWidth;
    const isLow = event.clientY + AWAY + height > innerHeight;
    tip.style.left = `${Math.max(0, event.clientX + (isRight ? -AWAY - width : AWAY))}px`;
    tip.style.top = `${Math.max(0, event.clientY + (isLow ? -AWAY - height : AWAY))}px`;
  }

  function widened(marks) {
    // a line is thin, and hard to point at: one that cannot be seen lies wide above it
    return (marks || []).flatMap((mark) => {
      if (mark.marks) return [{ ...mark, marks: widened(mark.marks) }];
      if (mark.type !== "line" || !mark.encode.update.tooltip) return [mark];
      const update = { ...mark.encode.update, strokeWidth: { value: WIDE }, opacity: { value: 0 } };
      const { name, ...others } = mark;
      return [{ ...mark, interactive: false }, { ...others, encode: { update } }];
    });
  }

  async function draw(frame) {
    const specification = JSON.parse(frame.dataset.specification);
    specification.config.background = "transparent"; // the page's own
    const compiled = vegaLite.compile(specification).spec;
    compiled.marks = widened(compiled.marks);
    const container = document.createElement("div");
    const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      expr: vega.expressionInterpreter, // without which Vega would need eval
      loader,
      renderer: "svg",
      tooltip: tell,
      container,
    });
    await view.runAsync();
    const [before, after] = [frame.querySelector("svg"), container.querySelector("svg")];
    for (const name of ["role", "aria-label"]) after.setAttribute(name, before.getAttribute(name));
    frame.replaceChildren(container);
    frame.dataset.drawn = "";
  }

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      draw(target).catch((error) => console.warn("the picture stays as it is:", error));
    }
  }, { rootMargin: "300px" });

  for (const frame of document.querySelectorAll("[data-specification]")) seen.observe(frame);
  addEventListener("scroll", () => { tip.hidden = true; }, { passive: true, capture: true });
})();
