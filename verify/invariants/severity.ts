/** The numbers of the levels, as in the specification. */
export const SEVERITY: Readonly<Record<string, number>> = {
  UP: 0,
  LOW_DISRUPTION: 1,
  MEDIUM_DISRUPTION: 2,
  HIGH_DISRUPTION: 3,
};

const NEEDED = { LOW: 1, MEDIUM: 2, HIGH: 3 };

export function meets(level: string, threshold: keyof typeof NEEDED): boolean {
  return (SEVERITY[level] ?? 0) >= NEEDED[threshold];
}
