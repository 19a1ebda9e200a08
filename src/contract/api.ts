import { adminApi } from './admin-api.ts';
import { peoplesApi } from './peoples-api.ts';

/**
 * The calls of the product, one entry each. The server must have a handler for every entry. Pages import the part they
 * use, so that no browser fetches the shapes of calls that it may not make.
 */
export const api = { ...peoplesApi, ...adminApi } as const;

export type Api = typeof api;
export type ApiName = keyof Api;
