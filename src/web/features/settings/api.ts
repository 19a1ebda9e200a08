import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SettingsBody } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { call } from '../../lib/api-client.ts';
import { meQuery } from '../auth/api.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { userStatusQuery } from '../status/api.ts';

/** Saves the settings; before the setup is complete, it completes it, and the server issues a new token. */
export function useSaveSettings() {
  const client = useQueryClient();
  const { updateToken } = useAuth();
  const { isInitialized } = useUser();
  return useMutation({
    mutationFn: async (settings: SettingsBody) => {
      if (isInitialized) return { ...(await call(userApi.saveSettings, { body: settings })), isSetup: false };
      const { token } = await call(userApi.initialize, { body: settings });
      if (token !== undefined) updateToken(token);
      return { status: undefined, isSetup: true };
    },
    onSuccess: ({ status, isSetup }, settings) => {
      client.setQueryData(
        userStatusQuery.queryKey,
        (before) => status ?? (before && { ...before, ...settings }),
      );
      if (!isSetup) return;
      client.setQueryData(meQuery.queryKey, (user) => user && { ...user, isInitialized: true });
      void client.invalidateQueries();
    },
  });
}
