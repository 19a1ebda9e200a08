import { Box, Group, NativeSelect, NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Delay, DelayUnit, ResumeMode, ResumeSettings } from '#core/settings.ts';
import { DEFAULT_DELAY, DELAY_MAX, DELAY_UNITS, RESUME_MODES, clampDelay } from '#core/settings.ts';
import { resumeTime } from '#core/smartpause/resume-time.ts';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { Effect } from './effect.ts';
import { resumeSentence } from './settings-copy.ts';
import { Muted } from '../../components/muted.ts';

const WORDS: Record<ResumeMode, { label: string; description: string }> = {
  instant: { label: 'Immediately', description: 'As soon as the disruption drops below your threshold.' },
  delay: { label: 'After a delay', description: 'Once it has stayed below your threshold for this long.' },
  next_day: { label: 'Next day', description: 'At the next 12:01 AM EST.' },
};

const UNIT_WORDS: Record<DelayUnit, string> = { minutes: 'Minutes', hours: 'Hours', days: 'Days' };

interface ResumeOptionsProps {
  value: ResumeSettings;
  onChange: (settings: ResumeSettings) => void;
}

export function ResumeOptions({ value, onChange }: ResumeOptionsProps) {
  const [delay, setDelay] = useState(value.mode === 'delay' ? clampDelay(value.delay) : DEFAULT_DELAY);
  const now = useNow();
  const sentence = resumeSentence(value, now);
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
      <Box mt="md">
        <Effect>
          {value.mode === 'instant' ? sentence : <Time at={resumeTime(value, now)}>{sentence}</Time>}
        </Effect>
      </Box>
    </Radio.Group>
  );
}

function DelayFields({ delay, onChange }: { delay: Delay; onChange: (delay: Delay) => void }) {
  const { unit } = delay;
  // The field may be empty or out of bounds during typing; only a value above 0 counts.
  const [typed, setTyped] = useState<number | string>(delay.value);
  const onValue = (value: number | string) => {
    setTyped(value);
    if (Number(value) > 0) onChange(clampDelay({ value: Number(value), unit }));
  };
  const onUnit = (chosen: DelayUnit) => {
    const next = clampDelay({ value: delay.value, unit: chosen });
    setTyped(next.value);
    onChange(next);
  };
  return (
    <Box pl={32} pt="xs">
      <Group gap="sm" align="flex-end">
        <NumberInput
          label="Delay"
          w={110}
          min={1}
          max={DELAY_MAX[unit]}
          clampBehavior="none"
          allowDecimal={false}
          value={typed}
          onChange={onValue}
          onBlur={() => setTyped(delay.value)}
        />
        <NativeSelect
          label="Unit"
          w={130}
          data={DELAY_UNITS.map((value) => ({ value, label: UNIT_WORDS[value] }))}
          value={unit}
          onChange={({ currentTarget: { value } }) =>
            onUnit(DELAY_UNITS.find((one) => one === value) ?? DEFAULT_DELAY.unit)
          }
        />
      </Group>
      <Muted mt={6}>{`1–${DELAY_MAX[unit]} ${unit}.`}</Muted>
    </Box>
  );
}
