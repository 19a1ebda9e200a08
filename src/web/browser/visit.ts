/**
 * The router calls every page that was opened by its address 'default', so that one would begin where another was left.
 * With a key of its own it begins at its top, and the way back to it still finds where it was.
 */
export function nameThisVisit(): void {
  const state = (window.history.state ?? {}) as { key?: unknown };
  if (state.key !== undefined) return;
  const key = Math.random().toString(36).slice(2, 10);
  window.history.replaceState({ ...state, key }, '');
}
