import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { LEVEL_WORDS, counted } from '#core/words.ts';
import { isMatched } from '../../text/campaign-view.ts';
import { StatusShape } from '../../components/status-mark.tsx';
import { QuietStatus, StatusTimes } from '../../components/status-times.tsx';
import { afterTrialWords } from '../../text/plan-words.ts';
import type { ShownStatus } from '../../api/queries.ts';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { UNREACHABLE } from '../../text/status-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { atTime, timeUntil } from '../../text/times.ts';
import { useNow } from '../../hooks/use-now.ts';

/** What matters right now; when all is well, one quiet line says so. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const status = usePlatformStatus();
  const { data: person } = useUserStatus();
  const { isTrialExpiringSoon } = useSubscription();
  return (
    <Stack gap="sm">
      {!isInitialized && <SetupBanner />}
      {status === null || status.status === 'UP' ? (
        <QuietStatus status={status} />
      ) : (
        <StatusBanner status={status} person={person} />
      )}
      {isTrialExpiringSoon && <TrialBanner />}
      {person?.resumeAt != null && <ResumeBanner resumeAt={Date.parse(person.resumeAt)} />}
    </Stack>
  );
}

function SetupBanner() {
  return (
    <Alert role="note" color="orange" title="Account Setup Required">
      Nothing is protected yet. Choose when SmartPause acts and where it writes to you:{' '}
      <Anchor component={Link} to="/settings" inherit c="inherit" fw={600} underline="always">
        Complete your setup in Settings
      </Anchor>
    </Alert>
  );
}

function TrialBanner() {
  const { subscription, trialDaysRemaining } = useSubscription();
  if (subscription === null || trialDaysRemaining === null) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      title={`Your trial ends soon: ${counted(trialDaysRemaining, 'day')} left`}
    >
      {afterTrialWords(subscription)}{' '}
      <Anchor component={Link} to="/settings#billing" inherit c="inherit" fw={600} underline="always">
        Go to Billing
      </Anchor>
    </Alert>
  );
}

function ResumeBanner({ resumeAt }: { resumeAt: number }) {
  const now = useNow();
  return (
    <Alert role="note" color="blue" title="SmartPause Resume Scheduled">
      <Text span inherit className="figures">
        Resume scheduled for {atTime(resumeAt, now)}
      </Text>
      <Text span inherit>
        {' '}
        · {timeUntil(resumeAt, now)}
      </Text>
    </Alert>
  );
}

function StatusBanner({ status, person }: { status: ShownStatus; person: UserStatus | undefined }) {
  const { title, color, text } = describe(status, person);
  return (
    <Alert role="note" color={color} title={title} icon={<StatusShape level={status.status} size={18} />}>
      <div>{text}</div>
      <Text fz="sm" mt={4} className="figures">
        {status.isUnreachable !== true && LEVEL_WORDS[status.status]} <StatusTimes status={status} />
        {whoseWord(status)}
      </Text>
    </Alert>
  );
}

/** Meta is quoted only with the words Meta used. */
function whoseWord({ isOverridden, quote }: PlatformStatus): string | null {
  if (isOverridden === true) return ' · set by SmartPause’s team';
  return quote === undefined ? null : ` · Meta says “${quote}”`;
}

function describe(status: ShownStatus, person: UserStatus | undefined) {
  if (status.isUnreachable === true) {
    return {
      title: UNREACHABLE,
      color: 'gray',
      text: 'This page cannot show Meta’s status right now. It tries again every 30 seconds.',
    };
  }
  if (status.status === 'UNKNOWN') {
    return {
      title: 'Meta Status Unknown',
      color: 'gray',
      text: 'We cannot read Meta’s status right now. SmartPause starts no pauses until it is known again. Campaigns that it paused stay paused until their scheduled resume.',
    };
  }
  if (person === undefined) {
    return {
      title: 'Meta Services Disruption Detected',
      color: 'blue',
      text: 'What it means for your campaigns depends on your settings, which are not loaded yet.',
    };
  }
  if (isMatched(status, person)) {
    return {
      title: 'SmartPause Activated - Threshold Matched',
      color: 'yellow',
      text: `${pausedWords(person)} They resume ${whenResumed(person.resumeSettings)}.`,
    };
  }
  return {
    title: 'Meta Services Disruption Detected',
    color: 'blue',
    text: `Your campaigns remain active or are resuming, because the status is below your threshold (${person.outageThreshold}).`,
  };
}

const WAITING = {
  no_answer: 'Meta does not answer at the moment, and SmartPause tries again.',
  limit: 'Meta’s limit for the ad account is used up, and SmartPause goes on when Meta allows it.',
};

function pausedWords({ notYetPaused }: UserStatus): string {
  if (notYetPaused === undefined) return 'Campaigns with SmartPause on that were running are paused.';
  const campaigns = counted(notYetPaused.count, 'campaign');
  return notYetPaused.because === null
    ? `Pausing ${campaigns}.`
    : `Pausing ${campaigns}; ${WAITING[notYetPaused.because]}`;
}

function whenResumed(settings: ResumeSettings): string {
  switch (settings.mode) {
    case 'instant':
      return 'as soon as the disruption is below your threshold';
    case 'next_day':
      return 'at 12:01 AM EST on the day after the disruption';
    case 'delay': {
      const { value, unit } = settings.delay;
      return `${value} ${value === 1 ? unit.slice(0, -1) : unit} after the disruption`;
    }
  }
}
