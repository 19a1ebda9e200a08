import { Switch } from '@mantine/core';
import { NEW_CAMPAIGNS_MS } from '#core/list-age.ts';
import { minutes } from '#core/time.ts';

interface NewCampaignsProps {
  /** Absent: the server has no such setting. */
  on: boolean | undefined;
  onChange: (on: boolean) => void;
}

export function NewCampaigns({ on, onChange }: NewCampaignsProps) {
  if (on === undefined) return null;
  return (
    <Switch
      checked={on}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label="Turn SmartPause on for new campaigns"
      description={`Campaigns that you create later get it when SmartPause next reads their ad account’s list, usually within ${NEW_CAMPAIGNS_MS / minutes(1)} minutes.`}
    />
  );
}
