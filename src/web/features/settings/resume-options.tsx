import { Box, Group, NativeSelect, NumberInput, Radio, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import { resumeCopy } from '#core/labels.ts';
import type { Delay, DelayUnit, ResumeMode, ResumeSettings } from '#core/settings.ts';
import { DEFAULT_DELAY, DELAY_MAX, DELAY_UNITS, RESUME_MODES, clampDelay } from '#core/settings.ts';
import { resumeTime } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import { Muted } from '../../components/muted.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { Effect } from './threshold-slider.tsx';

const WORDS: Record<ResumeMode, { label: string; description: string }> = {
  instant: { label: 'Immediately', description: 'As soon as the disruption drops below your threshold.' },
  delay: { label: 'After a delay', description: 'Once it has stayed below your threshold for this long.' },
  next_day: { label: 'Next day', description: 'At the next 12:01 AM EST.' },
};

/** The current effect: 'at 9:47 PM EST, in 5 min'. */
export function wouldResume(settings: ResumeSettings, now: Instant): string {
  if (settings.mode === 'instant') return 'immediately';
  const at = resumeTime(settings, now);
  return `${atOrOnTime(at, now)}, ${timeUntil(at, now)}`;
}

interface ResumeOptionsProps {
  /** The title above it says what it is. */
  isTitled: boolean;
  /** That meets the saved threshold. */
  isOutage: boolean;
  value: ResumeSettings;
  onChange: (settings: ResumeSettings) => void;
}

export function ResumeOptions({ isTitled, isOutage, value, onChange }: ResumeOptionsProps) {
  // Kept while another mode is chosen.
  const [kept, setKept] = useState(value.mode === 'delay' ? clampDelay(value.delay) : DEFAULT_DELAY);
  const delay = value.mode === 'delay' ? value.delay : kept;
  const [isValid, setIsValid] = useState(true);
  const now = useNow();
  const sentence =
    !isValid && value.mode === 'delay'
      ? 'Enter a valid delay to see when campaigns would resume.'
      : isOutage
        ? `When this outage ends, campaigns resume ${resumeCopy(value)}.`
        : `If an outage ended now, campaigns would resume ${wouldResume(value, now)}.`;
  const onDelay = (next: Delay | null) => {
    setIsValid(next !== null);
    if (next === null) return;
    setKept(next);
    onChange({ mode: 'delay', delay: next });
  };
  return (
    <Radio.Group
      {...(isTitled
        ? { 'aria-label': 'Auto-resume' }
        : { label: 'Auto-resume', description: 'When paused campaigns turn back on after an outage.' })}
      value={value.mode}
      onChange={(mode: ResumeMode) => {
        setIsValid(true);
        onChange(mode === 'delay' ? { mode, delay } : { mode });
      }}
    >
      <Stack gap="sm" mt={isTitled ? 0 : 'sm'}>
        {RESUME_MODES.map((mode) => (
          <div key={mode}>
            <Radio value={mode} {...WORDS[mode]} />
            {mode === 'delay' && value.mode === 'delay' && <DelayFields delay={delay} onChange={onDelay} />}
          </div>
        ))}
      </Stack>
      <Effect mt={20}>{sentence}</Effect>
    </Radio.Group>
  );
}

interface DelayFieldsProps {
  /** The last valid one. */
  delay: Delay;
  /** Null: what is typed is not valid, and does not count (SET-04). */
  onChange: (delay: Delay | null) => void;
}

function DelayFields({ delay, onChange }: DelayFieldsProps) {
  const { value, unit } = delay;
  const [hint, range] = [useId(), `1–${DELAY_MAX[unit]} ${unit}.`];
  const [typed, setTyped] = useState<number | string>(value);
  const isValid = (one: number | string) => clampDelay({ value: Number(one), unit }).value === Number(one);
  const fault = isValid(typed) ? '' : `Enter ${range}`;
  const [before, setBefore] = useState(value);
  // Saved in another tab.
  if (value !== before) {
    setBefore(value);
    if (isValid(typed)) setTyped(value);
  }
  const onUnit = (chosen: DelayUnit) => {
    const next = clampDelay({ value: Number(typed) > 0 ? Number(typed) : value, unit: chosen });
    setTyped(next.value);
    onChange(next);
  };
  return (
    <Box pl={32} pt="xs">
      <Group gap="sm" align="flex-end">
        <NumberInput
          label="Delay"
          // The form is not submitted with it.
          ref={(input) => input?.setCustomValidity(fault)}
          error={fault !== ''}
          aria-describedby={hint}
          w={110}
          min={1}
          max={DELAY_MAX[unit]}
          clampBehavior="none"
          allowDecimal={false}
          value={typed}
          onChange={(next) => {
            setTyped(next);
            onChange(isValid(next) ? { value: Number(next), unit } : null);
          }}
        />
        <NativeSelect
          label="Unit"
          w={130}
          data={DELAY_UNITS}
          value={unit}
          onChange={(event) => onUnit(event.currentTarget.value as DelayUnit)}
        />
      </Group>
      <Muted id={hint} fz={13} mt={6} c={fault === '' ? 'dimmed' : 'var(--mantine-color-error)'}>
        {fault || range}
      </Muted>
    </Box>
  );
}
