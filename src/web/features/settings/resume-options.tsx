import { Group, NativeSelect, NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { resumeCopy } from '#core/labels.ts';
import type { DelayUnit, ResumeMode, ResumeSettings } from '#core/settings.ts';
import { DELAY_MAX, DELAY_UNITS, RESUME_MODES, clampDelay } from '#core/settings.ts';
import { resumeTime } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { Effect } from './threshold-slider.tsx';
import type { FormState } from './use-settings-form.ts';
import { DELAY_FIELD, rangeOf } from './use-settings-form.ts';

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
  form: FormState;
  /** The title above it says what it is. */
  isTitled: boolean;
  /** That meets the saved threshold. */
  isOutage: boolean;
  /** What the form would save. */
  value: ResumeSettings;
}

export function ResumeOptions({ form, isTitled, isOutage, value }: ResumeOptionsProps) {
  const now = useNow();
  const isWrong = value.mode === 'delay' && form.errors[DELAY_FIELD] !== undefined;
  const sentence = isWrong
    ? 'Enter a valid delay to see when campaigns would resume.'
    : isOutage
      ? `When this outage ends, campaigns resume ${resumeCopy(value)}.`
      : `If an outage ended now, campaigns would resume ${wouldResume(value, now)}.`;
  return (
    <Radio.Group
      {...(isTitled
        ? { 'aria-label': 'Auto-resume' }
        : { label: 'Auto-resume', description: 'When paused campaigns turn back on after an outage.' })}
      {...form.getInputProps('resumeSettings.mode')}
    >
      <Stack gap="sm" mt={isTitled ? 0 : 'sm'}>
        {RESUME_MODES.map((mode) => (
          <div key={mode}>
            <Radio value={mode} {...WORDS[mode]} />
            {mode === 'delay' && value.mode === 'delay' && <DelayFields form={form} />}
          </div>
        ))}
      </Stack>
      <Effect mt={20}>{sentence}</Effect>
    </Radio.Group>
  );
}

function DelayFields({ form }: { form: FormState }) {
  const { value, unit } = form.values.resumeSettings.delay;
  const error = form.errors[DELAY_FIELD];
  const [lastValid, setLastValid] = useState(Number(value));
  if (error === undefined && lastValid !== Number(value)) setLastValid(Number(value));
  const onUnit = (chosen: DelayUnit) => {
    const next = { value: Number(value) > 0 ? Number(value) : lastValid, unit: chosen };
    form.setFieldValue('resumeSettings.delay', clampDelay(next));
    form.clearFieldError(DELAY_FIELD);
  };
  return (
    <Group gap="sm" align="flex-start" pl={32} pt="xs">
      <NumberInput
        label="Delay"
        // The error takes its place.
        description={error === undefined && rangeOf(unit)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        styles={{ error: { whiteSpace: 'nowrap' } }}
        w={110}
        min={1}
        max={DELAY_MAX[unit]}
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps(DELAY_FIELD)}
      />
      <NativeSelect
        label="Unit"
        w={130}
        data={DELAY_UNITS}
        value={unit}
        onChange={(event) => onUnit(event.currentTarget.value as DelayUnit)}
      />
    </Group>
  );
}
