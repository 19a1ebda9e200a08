import { useSearchParams } from 'react-router';
import type { PlanType } from '#core/billing/subscription.ts';
import { readCycle } from './plan-copy.ts';

/** Where users manage their subscription. */
export const BILLING_SETTINGS = '/settings#billing';

/** The page with its modal, which the login returns to. */
export function addressToContinueAt(cycle: PlanType): string {
  return `/payment?modal=open&cycle=${cycle}`;
}

export function isModalIn(params: URLSearchParams): boolean {
  return params.get('modal') === 'open';
}

/** The rest of the address stays. */
export function withCycle(params: URLSearchParams, cycle: PlanType, isModalOpen = isModalIn(params)) {
  const next = new URLSearchParams(params);
  next.set('cycle', cycle);
  if (isModalOpen) next.set('modal', 'open');
  else next.delete('modal');
  return next;
}

/**
 * The address keeps plan and modal while the user changes them.
 * @param usual the plan if the address names none
 */
export function usePricingAddress(usual: PlanType) {
  const [params, setParams] = useSearchParams();
  const cycle = readCycle(params) ?? usual;
  const change = (next: PlanType, isOpen?: boolean) =>
    setParams((before) => withCycle(before, next, isOpen), {
      // 'Back' closes the modal.
      replace: isOpen !== true,
      preventScrollReset: true,
    });
  return {
    cycle,
    isModalOpen: isModalIn(params),
    setCycle: (next: PlanType) => change(next),
    openModal: () => change(cycle, true),
    closeModal: () => change(cycle, false),
  };
}
