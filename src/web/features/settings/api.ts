import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { SettingsBody, UserStatus } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { DEFAULT_RESUME, DEFAULT_THRESHOLD } from '#core/settings.ts';
import { call } from '../../lib/api-client.ts';
import { meQuery } from '../auth/api.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { notifyFailure } from '../../lib/notify.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { useUserStatus, userStatusQuery } from '../status/api.ts';

/** The settings as a form has them. A new advertiser has none, so a refusal does not block the form. */
export function useSavedSettings() {
  const { isInitialized } = useUser();
  const query = useUserStatus();
  const first = hasFailed(query) && !isInitialized ? FIRST_DRAFT : undefined;
  // A form follows each new object.
  const saved = useMemo(() => query.data && toBody(query.data), [query.data]);
  return { query, saved: saved === undefined ? first : saved };
}

const FIRST_DRAFT: SettingsBody = {
  email: '',
  outageThreshold: DEFAULT_THRESHOLD,
  resumeSettings: DEFAULT_RESUME,
};

/** Null: a newer server has one that this page does not know. */
function toBody({
  email,
  outageThreshold,
  resumeSettings,
  onForNewCampaigns,
  monthlySummary,
  earlyWarning,
}: UserStatus): SettingsBody | null {
  if (outageThreshold === null || resumeSettings === null) return null;
  return {
    ...{ email: email ?? '', outageThreshold, resumeSettings },
    ...{ onForNewCampaigns, monthlySummary, earlyWarning },
  };
}

/**
 * Saves the settings; before the setup is complete, it completes it, and the server issues a new token.
 * A failure is shown where the form is, or in a notice if the user has left it.
 * @param only the others stay as the server has them
 */
export function useSaveSettings(only?: 'notifications', onSetup?: () => void) {
  const client = useQueryClient();
  const { updateToken } = useAuth();
  const { isInitialized } = useUser();
  const isShown = useMountedRef();
  const bodyFor = async (settings: SettingsBody) => {
    if (only === undefined) return settings;
    const current = toBody(await client.query({ ...userStatusQuery, staleTime: 0 }));
    const { email, monthlySummary } = settings;
    return current === null ? settings : { ...current, email, monthlySummary };
  };
  return useMutation({
    mutationFn: async (settings: SettingsBody) => {
      if (isInitialized) {
        const body = await bodyFor(settings);
        return { ...(await call(userApi.saveSettings, { body })), isSetup: false };
      }
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
      onSetup?.();
      client.setQueryData(meQuery.queryKey, (user) => user && { ...user, isInitialized: true });
      void client.invalidateQueries();
    },
    onError: (error) => {
      if (!isShown.current) notifyFailure('Failed to save settings', error);
    },
  });
}

function useMountedRef() {
  const ref = useRef(true);
  useEffect(() => {
    ref.current = true;
    return () => void (ref.current = false);
  }, []);
  return ref;
}
