import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { schemaResolver, useForm } from '@mantine/form';
import { hashKey } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { SettingsBody } from '#contract/shapes.ts';
import { settingsBody } from '#contract/shapes.ts';
import type { DayZone, DelayUnit, ResumeMode, ResumeSettings } from '#core/settings.ts';
import { DEFAULT_DELAY, DELAY_MAX, clampDelay } from '#core/settings.ts';

/** What is typed, valid or not. The delay is kept while another mode is chosen. */
interface Typed extends Omit<SettingsBody, 'resumeSettings'> {
  resumeSettings: {
    mode: ResumeMode;
    /** Of the next day; '': New York. */
    zone: DayZone | '';
    delay: { value: number | string; unit: DelayUnit };
  };
}

export type FormState = UseFormReturnType<Typed>;

export const DELAY_FIELD = 'resumeSettings.delay.value';

export const rangeOf = (unit: DelayUnit) => `1–${DELAY_MAX[unit]} ${unit}.`;

function typedOf({ resumeSettings, ...rest }: SettingsBody): Typed {
  const { mode } = resumeSettings;
  return {
    ...rest,
    resumeSettings: {
      mode,
      zone: (mode === 'next_day' && resumeSettings.zone) || '',
      delay: mode === 'delay' ? clampDelay(resumeSettings.delay) : DEFAULT_DELAY,
    },
  };
}

function bodyOf({ resumeSettings, ...rest }: Typed): SettingsBody {
  return { ...rest, email: rest.email.trim(), resumeSettings: resumeOf(resumeSettings) };
}

function resumeOf({ mode, zone, delay }: Typed['resumeSettings']): ResumeSettings {
  if (mode === 'delay') return { mode, delay: { ...delay, value: Number(delay.value) } };
  return mode === 'next_day' && zone !== '' ? { mode, zone } : { mode };
}

const faultsOf = schemaResolver(settingsBody, { sync: true });

/** The schema's own texts are for programs. */
function validate(typed: Typed): FormErrors {
  const faults = faultsOf(bodyOf(typed));
  return {
    email: 'email' in faults && 'Enter a complete email address, such as nora@example.com.',
    [DELAY_FIELD]: DELAY_FIELD in faults && `Enter ${rangeOf(typed.resumeSettings.delay.unit)}`,
  };
}

/**
 * A form of the settings; what is not edited follows what another tab saves.
 * @param fields those that are shown and can be wrong
 */
export function useSettingsForm(saved: SettingsBody, isLocked: boolean, fields: readonly string[]) {
  const form = useForm({
    initialValues: typedOf(saved),
    validate: (typed) =>
      Object.fromEntries(Object.entries(validate(typed)).filter(([field]) => fields.includes(field))),
    validateInputOnChange: [DELAY_FIELD],
  });
  const { values, getValues, setValues } = form;
  const base = useRef(saved);
  useLayoutEffect(() => {
    const [before, typed] = [base.current, bodyOf(getValues())];
    base.current = saved;
    const isEdited = (part: keyof SettingsBody) => hashKey([typed[part]]) !== hashKey([before[part]]);
    const followed = Object.entries(typedOf(saved)).filter(([part]) => !isEdited(part as keyof SettingsBody));
    if (before !== saved) setValues(Object.fromEntries(followed));
  }, [saved, getValues, setValues]);
  const draft = useMemo(() => {
    const body = bodyOf(values);
    // The server refuses a threshold that was changed before the outage locked it.
    return isLocked ? { ...body, outageThreshold: saved.outageThreshold } : body;
  }, [values, isLocked, saved]);
  // What past outages are replayed with.
  const valid = useMemo(() => {
    const { outageThreshold, resumeSettings } = draft;
    if (resumeSettings.mode !== 'delay') return { outageThreshold, resumeSettings };
    return {
      outageThreshold,
      resumeSettings: { ...resumeSettings, delay: clampDelay(resumeSettings.delay) },
    };
  }, [draft]);
  return { form, draft, valid, isChanged: hashKey([draft]) !== hashKey([saved]) };
}
