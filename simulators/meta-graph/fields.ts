/** The field names that the platform knows. Those that are not simulated are left out of answers, as empty ones are. */
export const CAMPAIGN_FIELDS: readonly string[] = words(`
  account_id adlabels advantage_state_info bid_strategy boosted_object_id brand_lift_studies
  budget_rebalance_flag budget_remaining buying_type campaign_group_active_time can_create_brand_lift_study
  can_use_spend_cap configured_status created_time daily_budget effective_status frequency_control_specs
  has_secondary_skadnetwork_reporting id is_adset_budget_sharing_enabled is_budget_schedule_enabled
  is_direct_send_campaign is_message_campaign is_meta_moment_maker_enabled is_reels_trending_ads_enabled
  is_skadnetwork_attribution issues_info last_budget_toggling_time lifetime_budget name objective pacing_type
  primary_attribution promoted_object recommendations smart_promotion_type source_campaign source_campaign_id
  source_recommendation_type special_ad_categories special_ad_category special_ad_category_country spend_cap
  start_time status stop_time topline_id updated_time`);

export const AD_ACCOUNT_FIELDS: readonly string[] = words(`
  account_id account_status ad_account_promotable_objects age agency_client_declaration all_capabilities
  amount_spent attribution_spec balance brand_safety_content_filter_levels business business_city
  business_country_code business_name business_state business_street business_street2 business_zip
  can_create_brand_lift_study capabilities created_time currency custom_audience_info default_dsa_beneficiary
  default_dsa_payor disable_reason end_advertiser end_advertiser_name existing_customers
  expired_funding_source_details extended_credit_invoice_group failed_delivery_checks fb_entity funding_source
  funding_source_details has_migrated_permissions has_page_authorized_adaccount id io_number
  is_attribution_spec_system_default is_ba_skip_delayed_eligible is_direct_deals_enabled
  is_in_3ds_authorization_enabled_market is_notifications_enabled is_personal is_prepay_account
  is_tax_id_required liable_address line_numbers media_agency min_campaign_group_spend_cap min_daily_budget name
  offsite_pixels_tos_accepted opportunity_score opportunity_score_weight owner owner_business partner rf_spec
  send_bill_to_address show_checkout_experience sold_to_address spend_cap tax_id tax_id_status tax_id_type
  timezone_id timezone_name timezone_offset_hours_utc tos_accepted user_access_expire_time user_tasks
  user_tos_accepted viewable_business`);

export const USER_FIELDS: readonly string[] = words(`
  about age_range birthday client_business_id community cover currency education email favorite_athletes
  favorite_teams first_name gender hometown id inspirational_people install_type installed is_guest_user
  is_work_account languages last_name link local_news_megaphone_dismiss_status local_news_subscription_status
  locale location meeting_for middle_name name name_format payment_pricepoints political profile_pic quotes
  relationship_status religion shared_login_upgrade_required_by short_name significant_other sports
  supports_donate_button_in_live_video third_party_id timezone token_for_business updated_time verified
  video_upload_limits website`);

export const ACTIVITY_FIELDS: readonly string[] = words(`
  actor_id actor_name application_id application_name date_time_in_timezone event_time event_type extra_data
  object_id object_name object_type translated_event_type`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
