/** The index is the number of the level in the specification (ENG-01). */
export const LEVELS = ['UP', 'LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION', 'UNKNOWN'] as const;
export type Level = (typeof LEVELS)[number];
export type KnownLevel = Exclude<Level, 'UNKNOWN'>;
export const KNOWN_LEVELS = LEVELS.filter((level) => level !== 'UNKNOWN');

export const THRESHOLDS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** Admin commands; CLEAR ends the override and is therefore never in force. */
export const COMMANDS = { CLEAR: 10, FORCE_UP: 11, FORCE_LOW: 12, FORCE_MEDIUM: 13, FORCE_HIGH: 14 } as const;
export const DIRECTIVES = ['FORCE_UP', 'FORCE_LOW', 'FORCE_MEDIUM', 'FORCE_HIGH'] as const;
export type Directive = (typeof DIRECTIVES)[number];

const FORCED: Record<Directive, KnownLevel> = {
  FORCE_UP: 'UP',
  FORCE_LOW: 'LOW_DISRUPTION',
  FORCE_MEDIUM: 'MEDIUM_DISRUPTION',
  FORCE_HIGH: 'HIGH_DISRUPTION',
};

const LOWEST_THAT_MEETS: Record<Threshold, number> = { LOW: 1, MEDIUM: 2, HIGH: 3 };

export function levelNumber(level: Level): number {
  return LEVELS.indexOf(level);
}

/** The override if there is one, else the true level (ENG-03). */
export function effectiveLevel(trueLevel: Level, directive: Directive | null): Level {
  return directive === null ? trueLevel : FORCED[directive];
}

/** The effective level, or the last one that was not UNKNOWN (ENG-10). */
export function nextKnownLevel(previous: KnownLevel, effective: Level): KnownLevel {
  return effective === 'UNKNOWN' ? previous : effective;
}

/** Threshold LOW is met by levels 1 to 3, MEDIUM by 2 and 3, HIGH by 3 only (ENG-02). */
export function meetsThreshold(level: Level, threshold: Threshold): boolean {
  return level !== 'UNKNOWN' && levelNumber(level) >= LOWEST_THAT_MEETS[threshold];
}

export function worseLevel(a: KnownLevel, b: KnownLevel): KnownLevel {
  return levelNumber(a) >= levelNumber(b) ? a : b;
}
