/** The ad account in Meta's Ads Manager. */
export function adsManagerAddress(accountId: string): string {
  const act = encodeURIComponent(accountId.replace(/^act_/, ''));
  return `https://adsmanager.facebook.com/adsmanager/manage/campaigns?act=${act}`;
}
