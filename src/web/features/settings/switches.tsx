import { Group, Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { NEW_CAMPAIGNS_MS } from '#core/list-age.ts';
import { SUMMARY_DAY } from '#core/periods.ts';
import { minutes } from '#core/time.ts';
import { Muted } from '../../components/muted.ts';
import { Toggle } from '../../components/toggle.tsx';
import type { FormState } from './use-settings-form.ts';

/** Settings that are on or off; none that the server does not have. */
export function Switches({ form, of }: { form: FormState; of: 'smartpause' | 'notifications' }) {
  const name = of === 'smartpause' ? 'onForNewCampaigns' : 'monthlySummary';
  if (form.values[name] === undefined) return null;
  const field = form.getInputProps(name, { type: 'checkbox' });
  return of === 'smartpause' ? <NewCampaigns {...field} /> : <MonthlySummary {...field} />;
}

type SwitchProps = ComponentProps<typeof Toggle>;

function NewCampaigns(field: SwitchProps) {
  return (
    <Switched {...field} title="Turn SmartPause on for new campaigns">
      Campaigns that you create later get it when SmartPause next reads their ad account’s list, usually
      within {NEW_CAMPAIGNS_MS / minutes(1)} minutes.
    </Switched>
  );
}

function MonthlySummary(field: SwitchProps) {
  return (
    <Switched {...field} title="Monthly summary">
      Emailed on the {SUMMARY_DAY}th: what SmartPause did in the month before, what it kept, and how often it
      read Meta’s status.
    </Switched>
  );
}

function Switched({ title, children, ...field }: SwitchProps & { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Toggle id={id} aria-describedby={`${id}-more`} {...field} />
      <div>
        <Text component="label" htmlFor={id} fz="sm">
          {title}
        </Text>
        <Muted id={`${id}-more`} fz={13} lh={1.4} mt={4}>
          {children}
        </Muted>
      </div>
    </Group>
  );
}
