import type { ResumeSettings } from '#core/settings.ts';
import { resumeCopy } from '#core/labels.ts';

const USUAL: ResumeSettings[] = [
  { mode: 'instant' },
  { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  { mode: 'delay', delay: { value: 1, unit: 'hours' } },
  { mode: 'delay', delay: { value: 1, unit: 'days' } },
  { mode: 'next_day' },
];

export function resumeKey(settings: ResumeSettings): string {
  return settings.mode === 'delay' ? `${settings.delay.value} ${settings.delay.unit}` : settings.mode;
}

/** The usual resume settings, and the saved ones. */
export function resumeChoices(saved: ResumeSettings): { settings: ResumeSettings; label: string }[] {
  const isUsual = USUAL.some((one) => resumeKey(one) === resumeKey(saved));
  return [...(isUsual ? [] : [saved]), ...USUAL].map((settings) => {
    const words = resumeCopy(settings);
    return { settings, label: words.charAt(0).toUpperCase() + words.slice(1) };
  });
}
