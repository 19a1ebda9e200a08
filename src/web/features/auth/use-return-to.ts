import { useLocation } from 'react-router';
import { addressOf } from '../../lib/return-to.ts';

/** The address that login returns to. */
export function useReturnTo(): string {
  return addressOf(useLocation());
}
