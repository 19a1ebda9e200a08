import { Badge } from '@mantine/core';

const STATUS_COLORS: Record<string, string> = { ACTIVE: 'green', PAUSED: 'yellow' };

/** The status as Meta has it. */
export function CampaignStatusBadge({ status }: { status: string }) {
  return <Badge color={STATUS_COLORS[status] ?? 'gray'}>{status}</Badge>;
}

export function SmartPauseActiveBadge() {
  return <Badge color="grape">SmartPause Active</Badge>;
}
