let name = '';
let warning: string | null = null;

/** Names the page in the title of the browser's tab. */
export function nameTab(next: string): void {
  name = next;
  show();
}

/** Puts a warning before the name; null removes it. */
export function warnInTab(next: string | null): void {
  warning = next;
  show();
}

function show(): void {
  document.title = [...(warning === null ? [] : [warning]), name, 'SmartPause'].join(' · ');
}
