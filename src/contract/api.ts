import { adminApi } from './admin-api.ts';
import { destinationApi } from './destination-api.ts';
import { outageApi } from './outage-api.ts';
import { pauseAllApi } from './pause-all-api.ts';
import { tryApi } from './try-api.ts';
import { userApi } from './user-api.ts';

/**
 * The server must have a handler for every endpoint. Pages import only their part, so that no browser loads
 * the schemas of calls that it may not make.
 */
export const api = {
  ...userApi,
  ...outageApi,
  ...tryApi,
  ...pauseAllApi,
  ...destinationApi,
  ...adminApi,
} as const;

export type Api = typeof api;
export type ApiName = keyof Api;
