import { useIsFetching } from '@tanstack/react-query';
import { keys } from '../../lib/queries.ts';
import { useSubscription } from './subscription-provider.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';

/** Replaces content that needs a subscription that could not be read. */
export function SubscriptionFailure() {
  const { retry } = useSubscription();
  const isTrying = useIsFetching({ queryKey: keys.subscription }) > 0;
  return <LoadFailure text="Your subscription couldn’t be loaded." isTrying={isTrying} onTry={retry} />;
}
