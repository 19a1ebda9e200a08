import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SettingsBody } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { call } from '../../lib/api-client.ts';
import { meQuery } from '../auth/api.ts';
import { userStatusQuery } from '../status/api.ts';

export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: SettingsBody) => call(userApi.saveSettings, { body: settings }),
    onSuccess: ({ status }, settings) =>
      client.setQueryData(
        userStatusQuery.queryKey,
        (before) => status ?? (before && { ...before, ...settings }),
      ),
  });
}

/** @param updateToken stores the token that the server issues for the initialized account */
export function useInitialize(updateToken: (token: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: SettingsBody) => call(userApi.initialize, { body: settings }),
    onSuccess: ({ token }, settings) => {
      if (token !== undefined) updateToken(token);
      client.setQueryData(userStatusQuery.queryKey, (before) => before && { ...before, ...settings });
      client.setQueryData(meQuery.queryKey, (user) => user && { ...user, isInitialized: true });
      void client.invalidateQueries();
    },
  });
}
