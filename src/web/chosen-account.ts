import { useState } from 'react';

const KEY = 'adAccount';

/** The ad account that was looked at last, also after a reload or a visit to Settings. */
export function useChosenAccount() {
  const [id, setId] = useState(() => localStorage.getItem(KEY));
  const choose = (adAccountId: string) => {
    localStorage.setItem(KEY, adAccountId);
    setId(adAccountId);
  };
  return [id, choose] as const;
}
