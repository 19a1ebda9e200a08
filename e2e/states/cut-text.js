// Runs in the page: finds text that is cut or covered on a narrow page or with large letters.
// The last expression is the result, one line per finding.
(() => {
  /** Pixels that letters may overlap or leave their box: rounding and descenders. */
  const TOLERANCE = 2;
  const faults = [];
  const short = (text) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 60));

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
  }

  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  /** Hidden on purpose: for screen readers, or a link that appears with the focus. */
  const isSetAside = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { clip, clipPath, position, transform } = getComputedStyle(at);
      if (position === 'absolute' && (clip !== 'auto' || clipPath !== 'none')) return true;
      if (transform !== 'none' && at.matches('a.skip:not(:focus)')) return true;
    }
    return false;
  };
  const clips = (value) => value === 'hidden' || value === 'clip';
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  /** Text that may be shortened with the full text only in a title, which touch and keyboard cannot read. */
  // The user's own name, which they know.
  const MAY_BE_SHORTENED = ['header [title]'];
  const isShownElsewhere = (element, text) => {
    for (let at = element; at !== null; at = at.parentElement) {
      if (at.title.includes(text.trim())) return MAY_BE_SHORTENED.some((place) => at.matches(place));
    }
    return false;
  };
  /** The layer of an element: a dialog or menu may cover what is below it. */
  const layerOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { position, zIndex } = getComputedStyle(at);
      if (position === 'fixed' || position === 'sticky') return at;
      if (position === 'absolute' && zIndex !== 'auto') return at;
      if (at.matches('dialog, [popover], [role=dialog], [role=tooltip], [role=menu]')) return at;
    }
    return null;
  };

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === '' || element.closest('script, style, svg, option, noscript') !== null) continue;
    if (!isSeen(element) || isSetAside(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (rects.length > 0) texts.push({ node, element, rects, layer: layerOf(element) });
  }

  const shortened = new Map();

  // Cut: a letter is outside a box that hides its overflow, or outside the scrollable area.
  for (const { node, element, rects } of texts) {
    const isWider = (left, right) =>
      rects.some((at) => at.left < left - TOLERANCE || at.right > right + TOLERANCE);
    const isHigher = (top, bottom) =>
      rects.some((at) => at.top < top - TOLERANCE || at.bottom > bottom + TOLERANCE);
    let isHidden = false;
    let isReached = false;
    for (
      let at = element;
      at !== null && at !== document.body && !isHidden && !isReached;
      at = at.parentElement
    ) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const wide = isWider(box.left, box.right);
      const high = isHigher(box.top, box.bottom);
      isHidden = (wide && clips(overflowX)) || (high && clips(overflowY));
      // Scrolling makes the text readable, and no ancestor cuts a fixed element.
      isReached = (wide && scrolls(overflowX)) || (high && scrolls(overflowY));
      if (isHidden && !isShownElsewhere(element, node.data)) {
        shortened.set(node, `cut: ${short(node.data)} by ${at.tagName.toLowerCase()}.${at.className}`);
      }
      if (position === 'fixed') break;
    }
    if (!isHidden && !isReached && isWider(0, root.clientWidth))
      faults.push(`beyond the edge: ${short(node.data)}`);
  }

  // Text that appears in full elsewhere on the page can be read there.
  const whole = new Set(texts.filter(({ node }) => !shortened.has(node)).map(({ node }) => node.data.trim()));
  for (const [node, fault] of shortened) if (!whole.has(node.data.trim())) faults.push(fault);

  /** The width of the text in this field, as the browser draws it. */
  const widthOf = (text, field) => {
    const probe = document.createElement('span');
    const { font, letterSpacing, wordSpacing } = getComputedStyle(field, '::placeholder');
    Object.assign(probe.style, { font, letterSpacing, wordSpacing, position: 'absolute', whiteSpace: 'pre' });
    probe.textContent = text;
    document.body.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  };
  const roomIn = (field) => {
    const { paddingLeft, paddingRight } = getComputedStyle(field);
    return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) + TOLERANCE;
  };

  /** The field's description shows its value whole. */
  const isDescribed = (field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .some((id) => document.getElementById(id)?.textContent.includes(field.value));

  // The value of a field does not wrap.
  for (const field of document.querySelectorAll(
    'select, input:not([type=checkbox], [type=radio], [type=hidden])',
  )) {
    if (!isSeen(field) || isSetAside(field)) continue;
    const isCut = field.scrollWidth > field.clientWidth + TOLERANCE && field !== document.activeElement;
    if (isCut && !isDescribed(field)) {
      faults.push(`cut: the field ${short(field.value)}`);
    }
    if (field.placeholder && field.value === '' && widthOf(field.placeholder, field) > roomIn(field)) {
      faults.push(`cut: the placeholder ${short(field.placeholder)}`);
    }
  }

  // Overlapping: the letters of two texts share an area.
  const flat = texts.flatMap(({ rects, ...text }) => rects.map((rect) => ({ ...text, rect })));
  flat.sort((a, b) => a.rect.top - b.rect.top);
  for (const [index, one] of flat.entries()) {
    for (let next = index + 1; next < flat.length; next += 1) {
      const other = flat[next];
      if (other.rect.top >= one.rect.bottom - TOLERANCE) break;
      if (other.layer !== one.layer || other.element === one.element) continue;
      const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const height = Math.min(one.rect.bottom, other.rect.bottom) - other.rect.top;
      // Lines of one paragraph touch: a line is higher than its letters.
      const allowed = 0.35 * Math.min(one.rect.height, other.rect.height);
      if (width > TOLERANCE && height > allowed) {
        faults.push(`overlapping: ${short(one.node.data)} and ${short(other.node.data)}`);
      }
    }
  }
  return [...new Set(faults)];
})();
