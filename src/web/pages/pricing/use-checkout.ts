import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { reasonOr } from '../../api/call.ts';
import { useSubscription } from '../../subscription.tsx';

export function useCheckout() {
  const { createCheckoutSession } = useSubscription();
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: createCheckoutSession,
    onSuccess: (address) => window.location.assign(address),
  });
  useEffect(() => {
    // The browser's back button may restore this page with its button still busy.
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
  return {
    start: mutate,
    isProcessing: isPending || isSuccess,
    failure: error === null ? null : reasonOr('Failed to create checkout session', error),
  };
}

export type Checkout = ReturnType<typeof useCheckout>;
