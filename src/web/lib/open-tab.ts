export interface Tab {
  leadTo: (address: string) => void;
  close: () => void;
}

/**
 * Opens a tab while the click is handled, so that the browser does not block it as a popup.
 * Its address may follow later. Null: the browser blocked it.
 */
export function openTab(): Tab | null {
  const tab = window.open('about:blank', '_blank');
  if (tab === null) return null;
  // The opened site must have no access to this page.
  tab.opener = null;
  return {
    leadTo: (address) => tab.location.replace(address),
    close: () => tab.close(),
  };
}
