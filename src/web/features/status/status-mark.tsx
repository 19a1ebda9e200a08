import type { ReactNode } from 'react';
import type { Level } from '#core/smartpause/level.ts';
import { LEVEL_WORDS } from '#core/labels.ts';

export const LEVEL_COLORS: Record<Level, string> = {
  UP: 'var(--status-up)',
  LOW_DISRUPTION: 'var(--status-low)',
  MEDIUM_DISRUPTION: 'var(--status-medium)',
  HIGH_DISRUPTION: 'var(--status-high)',
  UNKNOWN: 'var(--status-unknown)',
};

const SHAPES: Record<Level, ReactNode> = {
  UP: <circle cx="8" cy="8" r="6" />,
  LOW_DISRUPTION: <path d="M8 1.6 15 14H1z" strokeLinejoin="round" />,
  MEDIUM_DISRUPTION: <path d="M8 .8 15.2 8 8 15.2.8 8z" />,
  HIGH_DISRUPTION: <path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z" />,
  UNKNOWN: (
    <circle
      cx="8"
      cy="8"
      r="5.8"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeDasharray="3.2 2.87"
    />
  ),
};

/** The shape of a level without its word: only beside the word or with a label. */
export function StatusShape({ level, size = 12 }: { level: Level; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="currentColor"
      aria-hidden="true"
      style={{ color: LEVEL_COLORS[level], flex: 'none' }}
    >
      {SHAPES[level]}
    </svg>
  );
}

/** A level with shape, word and colour. */
export function StatusMark({ level, prefix }: { level: Level; prefix?: ReactNode }) {
  return (
    <span
      style={{ display: 'inline-flex', alignItems: 'center', gap: 8, fontWeight: 550, whiteSpace: 'nowrap' }}
    >
      <StatusShape level={level} />
      <span>
        {prefix !== undefined && <span style={{ color: 'var(--mantine-color-dimmed)' }}>{prefix} </span>}
        {LEVEL_WORDS[level]}
      </span>
    </span>
  );
}
