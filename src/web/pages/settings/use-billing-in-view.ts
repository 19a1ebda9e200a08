import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useSubscription } from '../../subscription.tsx';

/** The parameter in the return address of the billing portal. */
const FROM = 'from';
const FROM_BILLING = 'billing';

/**
 * Scrolls to the billing section for links to it. On return from the portal it also
 * refreshes the subscription, since the webhook may be late.
 */
export function useBillingInView() {
  const card = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const [params, setParams] = useSearchParams();
  const { refreshSubscription } = useSubscription();
  const isFromPortal = params.get(FROM) === FROM_BILLING;
  const isWanted = isFromPortal || hash === '#billing';

  // Keeps the section at the top of the window while content above it still grows.
  useEffect(() => {
    if (isWanted) card.current?.scrollIntoView({ block: 'start' });
  }, [isWanted]);
  useEffect(() => {
    if (!isFromPortal) return;
    let hasLeft = false;
    const forget = () => {
      // On another page this would remove the parameters of its address.
      if (hasLeft) return;
      setParams(
        (before) => {
          const rest = new URLSearchParams(before);
          rest.delete(FROM);
          return rest;
        },
        { replace: true, preventScrollReset: true },
      );
    };
    // A failure changes nothing on the page; the next webhook or read updates it.
    refreshSubscription().then(forget, forget);
    return () => {
      hasLeft = true;
    };
  }, [isFromPortal, refreshSubscription, setParams]);
  return card;
}
