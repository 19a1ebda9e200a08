import { Badge, Tooltip } from '@mantine/core';
import type { Campaign } from '#contract/shapes.ts';
import { undeliveredCopy } from './campaign-view.ts';

const STATUS_COLORS: Record<string, string> = { ACTIVE: 'green', PAUSED: 'yellow' };

/** 'Ended' or 'Scheduled' while Meta does not deliver the campaign, else the status as Meta has it. */
export function CampaignStateBadge({ campaign }: { campaign: Pick<Campaign, 'status' | 'undelivered'> }) {
  const copy = undeliveredCopy(campaign);
  if (copy === null) return <CampaignStatusBadge status={campaign.status} />;
  return (
    <Tooltip label={copy.why}>
      <Badge color={copy.color} tabIndex={0}>
        {copy.label}
      </Badge>
    </Tooltip>
  );
}

/** The status as Meta has it. */
export function CampaignStatusBadge({ status }: { status: string }) {
  return <Badge color={STATUS_COLORS[status] ?? 'gray'}>{status}</Badge>;
}

export function SmartPauseActiveBadge() {
  return <Badge color="grape">SmartPause Active</Badge>;
}
