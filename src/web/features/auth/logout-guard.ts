let ask: (() => void) | null = null;

/** Something unsaved would be lost by a logout: `question` asks instead. Null: nothing is unsaved. */
export function guardLogout(question: (() => void) | null): void {
  ask = question;
}

/** True if the user is asked first. */
export function isAskedBeforeLogout(): boolean {
  ask?.();
  return ask !== null;
}
