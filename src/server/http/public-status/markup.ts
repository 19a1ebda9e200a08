import { escapeHtml } from '#core/escape-html.ts';
import type { Level } from '#core/smartpause/level.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import { fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';

/** The shapes of src/web/components/status-mark.tsx. */
const SHAPES: Record<Level, string> = {
  UP: '<circle cx="8" cy="8" r="6"/>',
  LOW_DISRUPTION: '<path d="M8 1.6 15 14H1z"/>',
  MEDIUM_DISRUPTION: '<path d="M8 .8 15.2 8 8 15.2.8 8z"/>',
  HIGH_DISRUPTION: '<path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z"/>',
  UNKNOWN:
    '<circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" stroke-width="2.2" stroke-dasharray="3.2 2.87"/>',
};

export function shape(level: Level): string {
  return `<svg class="${level}" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">${SHAPES[level]}</svg>`;
}

export function levelMark(level: Level, words = LEVEL_WORDS[level]): string {
  return `<span class="level">${shape(level)}<span>${escapeHtml(words)}</span></span>`;
}

export function timeElement(at: Instant): string {
  return `<time datetime="${new Date(at).toISOString()}">${escapeHtml(fullTime(at))}</time>`;
}
