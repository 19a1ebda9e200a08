import { Alert } from '@mantine/core';
import { counted } from '#core/labels.ts';
import { BannerLink } from '../../components/links.ts';
import { useSubscription } from '../../subscription.tsx';
import { afterTrialCopy } from '../../text/plan-copy.ts';

export function TrialBanner() {
  const { subscription, trialDaysRemaining } = useSubscription();
  if (subscription === null || trialDaysRemaining === null) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      title={`Your trial ends soon: ${counted(trialDaysRemaining, 'day')} left`}
    >
      {afterTrialCopy(subscription)} <BannerLink to="/settings#billing">Go to Billing</BannerLink>
    </Alert>
  );
}
