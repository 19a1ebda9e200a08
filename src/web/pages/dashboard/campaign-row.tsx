import { Badge, Box, Button, Group, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { objectiveLabel } from '#core/campaign.ts';
import { isRefusal } from '../../call.ts';
import { budgetLabel } from '../../campaign-view.ts';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../../components/campaign-badges.tsx';
import { SmartPauseToggle } from '../../components/smart-pause-toggle.tsx';
import { sayFailure } from '../../notices.ts';
import { usePauseOrResume, useSetSmartPause } from '../../queries.ts';
import classes from './dashboard.module.css';

const REENABLE =
  'SmartPause was disabled for this campaign because its status was changed outside SmartPause. You can re-enable it with the switch.';

/** What somebody may do here: before the setup nothing, without a subscription only what ends a pause. */
export type Acts = 'all' | 'giving_back' | 'none';

export interface CampaignRowProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseActive: boolean;
  acts: Acts;
}

export function CampaignRow({ account, campaign, smartPauseActive, acts }: CampaignRowProps) {
  const toggle = useSetSmartPause(account.id, campaign.id);
  // What was just asked for is shown at once; when it fails, what is true shows again.
  const [asked, setAsked] = useState<boolean | null>(null);
  const on = asked ?? campaign.smartPauseSetting === 'ON';

  const onToggle = () => {
    if (asked !== null) return;
    setAsked(!on);
    toggle.mutate(!on, {
      onError: (error) => sayFailure('Failed to toggle SmartPause', error),
      onSettled: () => setAsked(null),
    });
  };
  return (
    <Box component="li" className={classes.campaign}>
      <AboutCampaign account={account} campaign={campaign} on={on} smartPauseActive={smartPauseActive} />
      <div className={classes.switch}>
        <Text span fz="sm" c="dimmed" aria-hidden="true">
          SmartPause
        </Text>
        <SmartPauseToggle
          campaignName={campaign.name}
          on={on}
          disabled={acts === 'none' || (acts === 'giving_back' && !on)}
          onToggle={onToggle}
        />
      </div>
      <div className={classes.action}>
        <ManualButton account={account} campaign={campaign} smartPauseOn={on} acts={acts} />
      </div>
    </Box>
  );
}

interface AboutCampaignProps extends Omit<CampaignRowProps, 'acts'> {
  on: boolean;
}

function AboutCampaign({ account, campaign, on, smartPauseActive }: AboutCampaignProps) {
  const details = [
    objectiveLabel(campaign.objective),
    budgetLabel(campaign.dailyBudget, account.currency),
    campaign.held ? 'held by SmartPause' : null,
    smartPauseActive && on && !campaign.held ? 'was paused before, stays paused' : null,
  ];
  return (
    <div className={classes.about}>
      <Group gap={8} wrap="wrap">
        <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
          {campaign.name}
        </Text>
        <Group gap={8} wrap="nowrap">
          <CampaignStatusBadge status={campaign.status} />
          {smartPauseActive && on && <SmartPauseActiveBadge />}
          {campaign.smartPauseSetting === 'DEACTIVATED' && !on && (
            <Tooltip label={REENABLE}>
              <Badge color="orange" tabIndex={0}>
                SmartPause Disabled
              </Badge>
            </Tooltip>
          )}
        </Group>
      </Group>
      <Text fz="sm" c="dimmed" mt={2} className="figures">
        {details.filter((detail) => detail !== null && detail !== '').join(' · ')}
      </Text>
    </div>
  );
}

interface ManualButtonProps {
  account: AdAccount;
  campaign: Campaign;
  smartPauseOn: boolean;
  acts: Acts;
}

function ManualButton({ account, campaign, smartPauseOn, acts }: ManualButtonProps) {
  const change = usePauseOrResume(account.id, campaign.id);
  const act = change.isPending ? change.variables : campaign.status === 'ACTIVE' ? 'pause' : 'resume';
  const words = act === 'pause' ? 'Manual Pause' : 'Manual Resume';
  const mayAct = acts === 'all' || (acts === 'giving_back' && act === 'resume');
  const ended = campaign.status !== 'ACTIVE' && campaign.status !== 'PAUSED';

  const onClick = () => change.mutate(act, { onError: (error) => sayRefused(act, error) });
  return (
    <Tooltip
      label="Turn SmartPause off to pause or resume by hand"
      disabled={!smartPauseOn || acts === 'none'}
    >
      <Box display="inline-block">
        <Button
          size="sm"
          variant="default"
          disabled={!mayAct || smartPauseOn || ended}
          loading={change.isPending}
          loaderProps={{ children: act === 'pause' ? 'Pausing…' : 'Resuming…' }}
          aria-label={`${change.isPending ? (act === 'pause' ? 'Pausing…' : 'Resuming…') : words} ${campaign.name}`}
          onClick={onClick}
        >
          {words}
        </Button>
      </Box>
    </Tooltip>
  );
}

function sayRefused(act: 'pause' | 'resume', error: Error): void {
  if (isRefusal(error, 'SMARTPAUSE_ACTIVE')) sayFailure('SmartPause is active', error);
  else sayFailure(act === 'pause' ? 'Failed to pause campaign' : 'Failed to resume campaign', error);
}
