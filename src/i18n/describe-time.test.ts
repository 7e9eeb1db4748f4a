import { expect, it } from "vitest";
import { describeWording } from "../../test/support/wording.ts";
import { describeDistance, describeDuration } from "./describe-time.ts";
import { createWords } from "./words.ts";

const [english, chinese] = [createWords("english"), createWords("chinese")];
const minute = 60_000;
const hour = 60 * minute;

describeWording("describeDuration", () => {
  it.each([
    [0, "0 seconds", "0 秒"],
    [1_500, "1 second", "1 秒"],
    [59_999, "59 seconds", "59 秒"],
    [90_000, "1 minute", "1 分钟"],
    [20 * minute, "20 minutes", "20 分钟"],
    [hour, "1 hour", "1 小时"],
    [hour + 5 * minute, "1 hour 5 minutes", "1 小时 5 分钟"],
    [25 * hour, "1 day 1 hour", "1 天 1 小时"],
    [48 * hour + 59 * minute, "2 days", "2 天"],
  ])("says %d ms in both languages", (ms, inEnglish, inChinese) => {
    expect(describeDuration(ms, english)).toBe(inEnglish);
    expect(describeDuration(ms, chinese)).toBe(inChinese);
  });
});

describeWording("describeDistance", () => {
  it("tells what is to come from what was", () => {
    expect(describeDistance(20 * minute, 0, english)).toBe("in 20 minutes");
    expect(describeDistance(0, 20 * minute, english)).toBe("20 minutes ago");
    expect(describeDistance(20 * minute, 0, chinese)).toBe("20 分钟后");
    expect(describeDistance(0, 20 * minute, chinese)).toBe("20 分钟前");
    expect(describeDistance(5, 0, english)).toBe("now");
  });
});
