import { Alert, Anchor, Group, Text } from '@mantine/core';
import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { useReturnTo } from '../auth/use-return-to.ts';
import { StatusShape } from '../status/status-mark.tsx';
import { StatusTimes } from '../status/status-times.tsx';
import { TurnOnAllButton } from './all-accounts-buttons.tsx';
import { isMatched } from './campaign-view.ts';
import { ChooseCampaigns, ShowThem } from './list-links.tsx';
import { outageCopy } from './outage-copy.ts';

interface StatusBannerProps {
  status: PlatformStatus;
  /** Known, unless the status is UNKNOWN. */
  user: UserStatus | undefined;
  isInitialized: boolean;
}

/** For every status except UP: what it means for the user's campaigns. */
export function StatusBanner({ status, user, isInitialized }: StatusBannerProps) {
  const { title, color, text, offer } = outageCopy(status, user, useUser().access);
  const hasHeld = isMatched(status, user) || status.status === 'UNKNOWN';
  return (
    <Alert role="note" color={color} title={title} icon={<StatusShape level={status.status} size={18} />}>
      <div>
        {text} {offer === 'reconnect' && <Reconnect />} {hasHeld && <ShowThem user={user} />}
      </div>
      <Text fz="sm" mt={4} className="figures">
        {LEVEL_WORDS[status.status]} <StatusTimes status={status} />
        {statusSource(status)}
      </Text>
      {isInitialized && offer === 'choose' && (
        <Group ref={leaveFocusToList} gap="sm" mt="xs">
          {/* The checklist has the same button. */}
          {user?.hasChosenCampaigns !== false && <TurnOnAllButton />}
          <ChooseCampaigns />
        </Group>
      )}
    </Alert>
  );
}

/** Quotes Meta only with Meta's own text. */
function statusSource({ isOverridden, quote }: PlatformStatus): string | null {
  if (isOverridden === true) return ' · set by the SmartPause team';
  return quote === undefined ? null : ` · Meta says “${quote}”`;
}

/** Meta accepts our access again after a new login. */
export function Reconnect() {
  return (
    <Anchor href={loginAddress(useReturnTo())} inherit c="inherit" fw={600} underline="always">
      Reconnect to Meta
    </Anchor>
  );
}
