import { environment } from './environment.ts';

/** So short a name is like too many others: HOME is nearly ROLE. */
const LEAST_LENGTH = 8;
/** A short name is like another one sooner: HTTP_URL is no misspelt SMTP_URL. */
const LONG = 10;

/** Variables that are nearly one of ours that is not given, and so are read by nobody. */
export function misspelt(given: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(environment.shape);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find(
        (one) => given[one] === undefined && one.length >= LEAST_LENGTH && isNearly(name, one),
      );
      return meant === undefined ? [] : [`  ${name}: is not known; ${meant}?`];
    });
}

/** Whether few letters too many, too few or others lie between them (Levenshtein). */
function isNearly(given: string, known: string): boolean {
  const far = known.length < LONG ? 1 : 2;
  if (Math.abs(given.length - known.length) > far) return false;
  let before = Array.from({ length: known.length + 1 }, (_, index) => index);
  for (let row = 0; row < given.length; row += 1) {
    const now = [row + 1];
    for (let column = 0; column < known.length; column += 1) {
      const replaced = (before[column] ?? 0) + (given[row] === known[column] ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return (before.at(-1) ?? far + 1) <= far;
}
