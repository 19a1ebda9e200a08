/** Adds the focused row and its neighbours: the focus stays, and Tab continues from it. */
export function withNeighbours(drawn: number[], focused: number | undefined, count: number): number[] {
  if (focused === undefined) return drawn;
  const near = [focused - 1, focused, focused + 1].filter((index) => index >= 0 && index < count);
  return [...new Set([...drawn, ...near])].sort((a, b) => a - b);
}
