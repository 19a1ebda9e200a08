import { useLocation } from 'react-router';
import { addressOf } from '../browser/return-to.ts';

/** The address that login returns to. */
export function useReturnTo(): string {
  return addressOf(useLocation());
}
