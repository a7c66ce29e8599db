-- grain: none, three macros
-- key: none
-- reads: none
-- parameters: none
--
-- What every report computes with. Sums of doubles depend on the order of their terms, and that on threads and
-- loads; summed in order of size, with compensation, they give the same bytes on every run. The ratio is that
-- of the sums over those rows that have both terms; null when the lower sum is 0. What is too large for a double
-- is not known, rather than infinite: one absurd figure spoils no report.
create or replace temp macro finite(x) as case when isfinite(x) then x end;

create or replace temp macro exact_sum(x) as finite(fsum(x order by x));

create or replace temp macro ratio_of_sums(a, b) as finite(
  (fsum(a order by a) filter (where b is not null))
  / nullif(fsum(b order by b) filter (where a is not null), 0)
);
