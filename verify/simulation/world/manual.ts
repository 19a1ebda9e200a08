import { AsyncLocalStorage } from 'node:async_hooks';
import { contextForLog } from '../../../src/server/observability/request-context.ts';

/** Runs an act outside any context: work that a manual pause or resume only triggers is not part of it. */
export const notManual: <T>(act: () => T) => T = AsyncLocalStorage.snapshot();

/** Whether the product is sending a user's manual pause or resume, and no write of a hold. */
export function isManual(): boolean {
  return contextForLog()['request']?.startsWith('manual change') === true;
}
