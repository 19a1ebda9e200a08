/** The values that Mantine stores. */
export type ChosenColorScheme = 'light' | 'dark' | 'auto';

/** @param stored the value in storage, which any user of this browser may have written */
export function chosenColorScheme(stored: string | null): ChosenColorScheme {
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

export function drawnColorScheme(chosen: ChosenColorScheme): 'light' | 'dark' {
  if (chosen !== 'auto') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
