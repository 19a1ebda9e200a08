import { useSearchParams } from 'react-router';
import type { PlanType } from '#core/billing/subscription.ts';
import { readCycle } from '../../text/plan-copy.ts';

export interface PricingAddress {
  /** Null: the address names no plan. */
  named: PlanType | null;
  isModalOpen: boolean;
}

export function readPricingAddress(params: URLSearchParams): PricingAddress {
  return { named: readCycle(params), isModalOpen: params.get('modal') === 'open' };
}

/** Where users manage their subscription. */
export const BILLING_SETTINGS = '/settings#billing';

/** The page with its modal, which the login returns to. */
export function addressToContinueAt(cycle: PlanType): string {
  return `/payment?modal=open&cycle=${cycle}`;
}

export function withCycle(params: URLSearchParams, cycle: PlanType): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set('cycle', cycle);
  return next;
}

export function withModal(
  params: URLSearchParams,
  { cycle, isOpen }: { cycle: PlanType; isOpen: boolean },
): URLSearchParams {
  const next = withCycle(params, cycle);
  if (isOpen) next.set('modal', 'open');
  else next.delete('modal');
  return next;
}

/**
 * The address keeps both while the user changes them.
 * @param usual the plan if the address names none
 */
export function usePricingAddress(usual: PlanType) {
  const [params, setParams] = useSearchParams();
  const { named, isModalOpen } = readPricingAddress(params);
  const cycle = named ?? usual;
  return {
    cycle,
    isModalOpen,
    setCycle: (cycle: PlanType) =>
      setParams((before) => withCycle(before, cycle), { replace: true, preventScrollReset: true }),
    openModal: () =>
      setParams((before) => withModal(before, { cycle, isOpen: true }), { preventScrollReset: true }),
    closeModal: () =>
      setParams((before) => withModal(before, { cycle, isOpen: false }), {
        replace: true,
        preventScrollReset: true,
      }),
  };
}
