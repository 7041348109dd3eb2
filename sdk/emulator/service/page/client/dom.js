/**
 * An element of the page. Throws when there is none.
 *
 * @template {Element} [T=HTMLElement] @param {string} selector @returns {T}
 */
export function $(selector) {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {T} */ (found);
}

/**
 * A new element. Children are text or nodes, never markup, because users choose the names.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | undefined>} attributes undefined leaves one out
 * @param {(string | Node)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** What each element shows, so that only changed elements are filled again. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Makes the children of an element show these items. Elements of items that remain are kept, with the focus. When
 * the focused element is removed, the focus moves to the section's heading.
 *
 * @template T
 * @template {HTMLElement} E
 * @param {Element} parent
 * @param {T[]} items
 * @param {{ key: (item: T, index: number) => string, create: (item: T) => E, fill: (made: E, item: T) => void }} how
 */
export function show(parent, items, { key, create, fill }) {
  const old = new Map([...parent.children].map((child) => [/** @type {E} */ (child).dataset.key, child]));
  const wanted = new Set(items.map(key));
  for (const [name, child] of old) {
    if (wanted.has(name ?? "")) continue;
    const hadFocus = child.contains(document.activeElement);
    child.remove();
    if (hadFocus) /** @type {HTMLElement} */ (parent.closest("section")?.querySelector("h2"))?.focus();
  }
  let next = parent.firstElementChild;
  for (const [index, item] of items.entries()) {
    const name = key(item, index);
    const child = /** @type {E} */ (old.get(name) ?? create(item));
    child.dataset.key = name;
    const text = JSON.stringify(item);
    if (shown.get(child) !== text) fill(child, item);
    shown.set(child, text);
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

/** Announces a change to screen readers. @param {string} text */
export function tell(text) {
  $("#news").textContent = text;
}

/** The time of day, on this machine's clock. @param {number} at milliseconds since 1970 */
export const timeOfDay = (at) => new Date(at).toLocaleTimeString("en-GB");

/** A status as a coloured mark with its text. @param {string} status */
export const badge = (status) => element("span", { class: "badge", "data-status": status }, status);
