import { Box, Group, NativeSelect, NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Delay, DelayUnit, ResumeMode, ResumeSettings } from '#core/settings.ts';
import { DEFAULT_DELAY, DELAY_MAX, DELAY_UNITS, RESUME_MODES, clampDelay } from '#core/settings.ts';
import { resumeTime } from '#core/smartpause/resume-time.ts';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { Meaning } from './meaning.ts';
import { clampNote, delayBounds, resumeSentence } from './settings-copy.ts';
import { Muted } from '../../components/muted.ts';

const WORDS: Record<ResumeMode, { label: string; description: string }> = {
  instant: { label: 'Immediately', description: 'As soon as the disruption drops below your threshold.' },
  delay: { label: 'After a delay', description: 'Once it has stayed below your threshold for this long.' },
  next_day: { label: 'Next day', description: 'At the next 12:01 AM EST.' },
};

const UNIT_WORDS: Record<DelayUnit, string> = { minutes: 'Minutes', hours: 'Hours', days: 'Days' };

export interface ResumeOptionsProps {
  value: ResumeSettings;
  onChange: (settings: ResumeSettings) => void;
}

export function ResumeOptions({ value, onChange }: ResumeOptionsProps) {
  const [delay, setDelay] = useState(value.mode === 'delay' ? clampDelay(value.delay) : DEFAULT_DELAY);

  const onMode = (mode: ResumeMode) => onChange(mode === 'delay' ? { mode, delay } : { mode });
  const onDelay = (next: Delay) => {
    setDelay(next);
    onChange({ mode: 'delay', delay: next });
  };
  return (
    <Radio.Group
      label="Auto-resume"
      description="When paused campaigns turn back on after an outage."
      value={value.mode}
      onChange={onMode}
    >
      <Stack gap="sm" mt="sm">
        {RESUME_MODES.map((mode) => (
          <div key={mode}>
            <Radio value={mode} {...WORDS[mode]} />
            {mode === 'delay' && value.mode === 'delay' && <DelayFields delay={delay} onChange={onDelay} />}
          </div>
        ))}
      </Stack>
      <WhatItMeansNow settings={value} />
    </Radio.Group>
  );
}

function WhatItMeansNow({ settings }: { settings: ResumeSettings }) {
  const now = useNow();
  const sentence = resumeSentence(settings, now);
  return (
    <Box mt="md">
      <Meaning>
        {settings.mode === 'instant' ? sentence : <Time at={resumeTime(settings, now)}>{sentence}</Time>}
      </Meaning>
    </Box>
  );
}

function DelayFields({ delay, onChange }: { delay: Delay; onChange: (delay: Delay) => void }) {
  // The field may be empty or out of bounds during typing; only a value above 0 counts.
  const [typed, setTyped] = useState<number | string>(delay.value);
  const [note, setNote] = useState<string | null>(null);

  const choose = (asked: Delay): Delay => {
    const next = clampDelay(asked);
    setNote(clampNote(asked.value, next));
    onChange(next);
    return next;
  };
  const onValue = (value: number | string) => {
    setTyped(value);
    const number = Number(value);
    if (number > 0) choose({ value: number, unit: delay.unit });
    else setNote(clampNote(number, delay));
  };
  const onUnit = (unit: DelayUnit) => setTyped(choose({ value: delay.value, unit }).value);
  return (
    <Box pl={32} pt="xs">
      <Group gap="sm" align="flex-end">
        <NumberInput
          label="Delay"
          w={110}
          min={1}
          max={DELAY_MAX[delay.unit]}
          clampBehavior="none"
          allowDecimal={false}
          value={typed}
          onChange={onValue}
          onBlur={() => setTyped(delay.value)}
        />
        <NativeSelect
          label="Unit"
          w={130}
          data={DELAY_UNITS.map((unit) => ({ value: unit, label: UNIT_WORDS[unit] }))}
          value={delay.unit}
          onChange={(event) => onUnit(unitOf(event.currentTarget.value))}
        />
      </Group>
      <Muted mt={6} role="status">
        {note ?? delayBounds(delay)}
      </Muted>
    </Box>
  );
}

function unitOf(value: string): DelayUnit {
  return DELAY_UNITS.find((unit) => unit === value) ?? DEFAULT_DELAY.unit;
}
