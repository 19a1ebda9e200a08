import { useSearchParams } from 'react-router';
import type { PlanType } from '#core/subscription.ts';
import { PLAN_TYPES } from '#core/subscription.ts';

/** What the address says of the page: `cycle` and `modal`. What is not known counts as not said (ROUTE-04). */
export function readPricingAddress(params: URLSearchParams): { cycle: PlanType; isModalOpen: boolean } {
  const cycle = PLAN_TYPES.find((plan) => plan === params.get('cycle')) ?? 'monthly';
  return { cycle, isModalOpen: params.get('modal') === 'open' };
}

/** The page with its modal, where the login comes back to. */
export function addressToContinueAt(cycle: PlanType): string {
  return `/payment?modal=open&cycle=${cycle}`;
}

export function withCycle(params: URLSearchParams, cycle: PlanType): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set('cycle', cycle);
  return next;
}

export function withModal(params: URLSearchParams, isOpen: boolean): URLSearchParams {
  const { cycle } = readPricingAddress(params);
  const next = withCycle(params, cycle);
  if (isOpen) next.set('modal', 'open');
  else next.delete('modal');
  return next;
}

/** The page keeps both in the address as the person changes them. */
export function usePricingAddress() {
  const [params, setParams] = useSearchParams();
  return {
    ...readPricingAddress(params),
    setCycle: (cycle: PlanType) =>
      setParams((before) => withCycle(before, cycle), { replace: true, preventScrollReset: true }),
    openModal: () => setParams((before) => withModal(before, true), { preventScrollReset: true }),
    closeModal: () =>
      setParams((before) => withModal(before, false), { replace: true, preventScrollReset: true }),
  };
}
