/** A shorter name resembles too many others: HOME resembles ROLE. */
const LEAST_LENGTH = 8;
/** From this length on two edits are tolerated instead of one. */
const LONG_LENGTH = 10;

/** Variables whose names nearly equal a setting that is not given. */
export function misspelledNames(given: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const candidates = known.filter((name) => given[name] === undefined && name.length >= LEAST_LENGTH);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = candidates.find((one) => distance(name, one) <= (one.length < LONG_LENGTH ? 1 : 2));
      return meant === undefined ? [] : [`  ${name}: is unknown; did you mean ${meant}?`];
    });
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 0; row < a.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (a[row] === b[column] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
