-- grain: at most one row; none with fewer than 2 profiles with removed posts, or if none clearly had the most EMV removed without its largest post
select '{posts|The removed post|The # removed posts} of {name:text} had earned the most EMV, {emv:money}' as text, *
from removed_leader('profile')
where groups >= 2 and leads;
